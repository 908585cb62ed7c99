/** The worker that hosts the tables of this device: it carries out the effects of `edition/device/host.py`. */
import { describe, loadPython } from "./python.ts";
import type { Built } from "./pyodide.ts";
import type { FromTables, ToTables } from "./table-messages.ts";
import { openStore, TableHost } from "./table-host.ts";

declare const BUILT: Built;
declare const self: DedicatedWorkerGlobalScope;

const send = (message: FromTables): void => self.postMessage(message);

try {
  const [python, store] = await Promise.all([
    loadPython((done) => send({ type: "loading", done })),
    openStore(BUILT.version),
  ]);
  const { handle } = python.pyimport("dalapapa.edition.device.host").DeviceHost();
  const host = new TableHost(handle, store, send);
  self.onmessage = ({ data }: MessageEvent<ToTables>): void => host.take(data);
  send({ type: "ready" });
} catch (error) {
  send({ type: "not_loaded", reason: describe(error) });
}
