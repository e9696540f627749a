/** `/docs`: Swagger UI over the merged document; its files are served from here, nothing comes from elsewhere. */
export const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Kontor API</title>
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<style>body { margin: 0 } .swagger-ui .topbar { display: none } .swagger-ui .info { margin: 32px 0 }</style>
</head>
<body>
<div id="ui"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script>
SwaggerUIBundle({
  url: '/openapi.json', dom_id: '#ui', docExpansion: 'none', filter: true, persistAuthorization: true, tryItOutEnabled: true, deepLinking: true,
});
</script>
</body>
</html>
`;
