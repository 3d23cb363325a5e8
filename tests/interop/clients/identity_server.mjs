// A real identity server on loopback: prints its address, then grants client credentials for one resource.
import http from "node:http";
import { Provider } from "oidc-provider";

const [resource, format] = process.argv.slice(2);
const server = http.createServer();
server.listen(0, "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const client = { redirect_uris: [], response_types: [], grant_types: ["client_credentials"] };
  const provider = new Provider(issuer, {
    clients: [
      { ...client, client_id: "ada", client_secret: "ada-secret" },
      { ...client, client_id: "us", client_secret: "our-secret" },
    ],
    scopes: ["runs:read", "research"],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: true, allowedPolicy: () => true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (ctx, indicator) => ({
          scope: "runs:read research",
          audience: indicator,
          accessTokenFormat: format,
          ...(format === "jwt" ? { jwt: { sign: { alg: "RS256" } } } : {}),
        }),
        defaultResource: () => resource,
      },
    },
  });
  server.on("request", provider.callback());
  console.log(issuer);
});
