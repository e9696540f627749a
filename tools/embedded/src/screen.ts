import type { Connection } from './connection-file.js';

/** The one screen that a start prints. */
export function screen(
  connection: Connection,
  facts: { readonly dataDir: string; readonly seconds: number; readonly shape: string },
): string {
  const { baseUrl, docsUrl, apiKey } = connection;
  return `
  Kontor is ready (${facts.shape}, ${facts.seconds.toFixed(1)} s). Data: ${facts.dataDir}

    API            ${baseUrl}
    Documentation  ${docsUrl}
    API key        ${apiKey}

  A first request:

    curl ${baseUrl}/customers -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' \\
      -d '{ "email": "rechnung@backhaus-elbe.example", "companyName": "Backhaus Elbe GmbH" }'

  "npm run seed" loads an example company. Ctrl-C stops.
`;
}
