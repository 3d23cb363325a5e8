// The page of a host, around the official AppBridge: bundled by esbuild, driven by drive.mjs.
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

window.seen = { messages: [], links: [], files: [], contexts: [], sizes: 0 };

/** Put the app into a frame of its own origin, as hosts do, and connect it; the server is reached through `callServer`. */
window.runApp = async (context, input, result, bare) => {
  const frame = document.createElement("iframe");
  frame.id = "app";
  frame.title = "App";
  frame.setAttribute("sandbox", "allow-scripts");
  frame.style.cssText = "border:0;width:100%;height:600px;display:block";
  const capabilities = bare ? { serverTools: {} } : {
    openLinks: {},
    downloadFile: {},
    serverTools: {},
    serverResources: {},
    updateModelContext: { text: {} },
    message: { text: {} },
  };
  const bridge = new AppBridge(null, { name: "test-host", version: "1" }, capabilities, { hostContext: context });
  bridge.oncalltool = (params) => window.callServer("tools/call", params);
  bridge.onreadresource = (params) => window.callServer("resources/read", params);
  bridge.onmessage = async (params) => (window.seen.messages.push(params), {});
  bridge.onopenlink = async (params) => (window.seen.links.push(params.url), {});
  bridge.ondownloadfile = async (params) => (window.seen.files.push(params.contents[0].resource), {});
  bridge.onupdatemodelcontext = async (params) => (window.seen.contexts.push(params), {});
  bridge.onsizechange = ({ height }) => {
    window.seen.sizes += 1;
    if (height) frame.style.height = `${height}px`;
  };
  window.setTheme = (theme) => bridge.sendHostContextChange({ theme });
  const ready = new Promise((resolve) => (bridge.oninitialized = resolve));
  document.body.append(frame);
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  frame.src = "https://sandbox.test/app.html";
  await ready;
  await bridge.sendToolInput({ arguments: input });
  await bridge.sendToolResult(result);
};
