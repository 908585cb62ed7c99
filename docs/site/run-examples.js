// In the static edition (scripts/build_edition.py): a button below each Python session runs it in the reader's browser,
// by the engine beside this documentation. The code can be changed before.
const ENGINE = new URL("../../engine/", import.meta.url);

const sessions = [...document.querySelectorAll(".highlight code")].filter((code) => code.textContent.startsWith(">>> "));
let starting = null;

async function start() {
  const { parts } = await (await fetch(new URL("manifest.json", ENGINE))).json();
  const { Engine } = await import(new URL(parts.client, ENGINE).href);
  return new Engine(() => new Worker(new URL(parts.worker, ENGINE), { type: "module" }));
}

async function run(number, button, output) {
  button.disabled = true;
  output.hidden = false;
  output.textContent = "Running … The first time, this loads the engine (6 MB).";
  try {
    starting ??= start();
    const texts = sessions.slice(0, number + 1).map((code) => code.textContent);
    output.textContent = await (await starting).call("run_examples", { sessions: texts });
  } catch (error) {
    starting = null;
    output.textContent = `This could not run: ${error.message}`;
  }
  button.disabled = false;
}

for (const [number, code] of sessions.entries()) {
  code.contentEditable = "plaintext-only";
  code.spellcheck = false;
  code.setAttribute("role", "textbox");
  code.setAttribute("aria-multiline", "true");
  code.setAttribute("aria-label", `Example ${number + 1}`);
  const button = Object.assign(document.createElement("button"), {
    type: "button",
    className: "run-example",
    textContent: "Run",
  });
  button.setAttribute("aria-label", `Run example ${number + 1}`);
  const output = Object.assign(document.createElement("pre"), { className: "run-output", hidden: true });
  output.setAttribute("role", "status");
  button.addEventListener("click", () => void run(number, button, output));
  code.closest(".highlight").after(button, output);
}
