/**
 * Which tab hosts the tables of this device: the one that holds a Web Lock. The others wait for it.
 *
 * A system may freeze a tab that no one looks at, and a frozen tab keeps its lock. So a tab that is looked at asks the
 * host now and then whether it is there, and takes the lock away from one that does not answer. The frozen tab learns
 * that as soon as it is woken, and follows.
 */
const NAME = "dalapapa tables";

/** A page has one; this folder is compiled for workers as well. */
declare const document: { readonly visibilityState: string };

/** How often a tab asks, and how many questions stay without an answer before it hosts itself. */
export const LOOK_INTERVAL_MS = 3_000;
const MAX_UNANSWERED = 3;

interface Roles {
  /** This tab hosts from now on. */
  begin(): void;
  /** Another tab hosts. */
  end(): void;
  /** Ask the host whether it is there. */
  ask(): void;
}

export class HostLock {
  private isHost = false;
  private unanswered = 0;
  private waiting = new AbortController();

  constructor(private readonly roles: Roles) {
    this.wait();
    setInterval(() => this.look(), LOOK_INTERVAL_MS);
  }

  /** The host has answered. */
  noteAnswer(): void {
    this.unanswered = 0;
  }

  private wait(): void {
    this.waiting = new AbortController();
    void this.hold({ signal: this.waiting.signal });
  }

  private look(): void {
    if (this.isHost || document.visibilityState !== "visible") this.unanswered = 0;
    else if (this.unanswered < MAX_UNANSWERED) {
      this.unanswered++;
      this.roles.ask();
    } else {
      this.unanswered = 0;
      this.waiting.abort();
      void this.hold({ steal: true });
    }
  }

  /** Hold the lock until the tab is closed, or another tab takes it away. */
  private async hold(options: LockOptions): Promise<void> {
    let isHeld = false;
    try {
      await navigator.locks.request(NAME, options, () => {
        this.isHost = isHeld = true;
        this.roles.begin();
        return new Promise(() => {});
      });
    } catch {
      if (!isHeld) return; // It waits no more, because it takes the lock away from another tab.
      this.isHost = false;
      this.roles.end();
      this.wait();
    }
  }
}
