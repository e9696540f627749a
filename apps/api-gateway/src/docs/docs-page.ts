import { createHash } from 'node:crypto';

const STYLE = 'body { margin: 0 } .swagger-ui .topbar { display: none } .swagger-ui .info { margin: 32px 0 }';
const SCRIPT = `SwaggerUIBundle({
  url: '/openapi.json', dom_id: '#ui', docExpansion: 'none', filter: true, persistAuthorization: true, tryItOutEnabled: true, deepLinking: true,
});`;

/** `/docs`: Swagger UI over the merged document; its files are served from here, nothing comes from elsewhere. */
export const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Kontor API</title>
<link rel="icon" href="/docs/assets/favicon-32x32.png">
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<style>${STYLE}</style>
</head>
<body>
<div id="ui"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script>${SCRIPT}</script>
</body>
</html>
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * What the page may do: nothing from elsewhere, in nobody's frame. It holds a key while somebody tries requests. Swagger UI sets styles
 * and pictures of its own.
 */
export const DOCS_POLICY = [
  "default-src 'none'",
  `script-src 'self' ${hashOf(SCRIPT)}`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
