// The host of an MCP App: JSON-RPC by messages to the window around this one, as the extension's revision 2026-01-26 has it.

const VERSION = "2026-01-26";

class Host {
  #asked = new Map();
  #number = 0;
  #hear;
  #abilities = {};

  constructor(hear) {
    this.#hear = hear;
    addEventListener("message", (event) => {
      if (event.source === parent && event.data?.jsonrpc === "2.0") this.#heard(event.data);
    });
  }

  can(ability) {
    return this.#abilities[ability] !== undefined;
  }

  async open() {
    const answer = await this.ask("ui/initialize", {
      appInfo: { name: "deepresearch-report", version: "1" },
      appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
      protocolVersion: VERSION,
    });
    this.#abilities = answer.hostCapabilities ?? {};
    this.#hear("ui/notifications/host-context-changed", answer.hostContext ?? {});
    this.tell("ui/notifications/initialized", {});
    const tall = () => this.tell("ui/notifications/size-changed", { height: Math.ceil(document.documentElement.getBoundingClientRect().height) });
    new ResizeObserver(tall).observe(document.documentElement);
  }

  ask(method, params) {
    this.#number += 1;
    const id = this.#number;
    this.#post({ id, method, params });
    return new Promise((resolve, reject) => this.#asked.set(id, { resolve, reject }));
  }

  tell(method, params) {
    this.#post({ method, params });
  }

  /** Call a tool of the server: its result; a refusal is an error with the tool's own sentence. */
  async call(name, given) {
    const result = await this.ask("tools/call", { name, arguments: given });
    const text = (result.content ?? []).find((block) => block.type === "text")?.text ?? "";
    if (result.isError) throw new Error(text);
    return { text, meta: result._meta ?? {} };
  }

  /** The text of a resource of the server, or nothing where the host lends none. */
  async read(uri) {
    if (!this.can("serverResources")) return null;
    const result = await this.ask("resources/read", { uri });
    return result.contents?.[0]?.text ?? null;
  }

  #post(message) {
    // A host's window may be of any origin; what we send it is nothing it did not give us.
    parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  }

  #heard(message) {
    if (message.method === undefined) {
      const waiting = this.#asked.get(message.id);
      this.#asked.delete(message.id);
      if (message.error) waiting?.reject(new Error(message.error.message ?? "The host refused."));
      else waiting?.resolve(message.result ?? {});
      return;
    }
    this.#hear(message.method, message.params ?? {});
    if (message.id === undefined) return;
    if (message.method === "ping" || message.method === "ui/resource-teardown") this.#post({ id: message.id, result: {} });
    else this.#post({ id: message.id, error: { code: -32601, message: "Method not found" } });
  }
}
