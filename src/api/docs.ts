import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Context, Next } from 'koa'

const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

/** The files of the reference page that are served, and nothing else of the package. */
const served = new Map([
  ['/docs/swagger-ui.css', 'text/css'],
  ['/docs/swagger-ui-bundle.js', 'text/javascript'],
  ['/docs/favicon-32x32.png', 'image/png'],
])

const page = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Quern API reference</title>
  <link rel="stylesheet" href="/docs/swagger-ui.css">
  <link rel="icon" href="/docs/favicon-32x32.png">
</head>
<body>
  <div id="reference"></div>
  <script src="/docs/swagger-ui-bundle.js"></script>
  <script src="/docs/start.js"></script>
</body>
</html>
`

const start = `SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  persistAuthorization: true,
  displayOperationId: true,
  validatorUrl: null,
})
`

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** The API reference at /docs, from files of a package: no other host is ever asked. */
export function serveDocs() {
  return async (ctx: Context, next: Next): Promise<void> => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next()
    if (ctx.path === '/') return ctx.redirect('/docs')
    const body = ctx.path === '/docs' ? page : ctx.path === '/docs/start.js' ? start : undefined
    const type = body === page ? 'text/html' : body ? 'text/javascript' : served.get(ctx.path)
    if (type === undefined) return next()
    ctx.set('Content-Security-Policy', policy)
    ctx.set('Cache-Control', 'public, max-age=3600')
    ctx.body = body ?? createReadStream(join(assets, ctx.path.slice('/docs/'.length)))
    ctx.type = type
  }
}
