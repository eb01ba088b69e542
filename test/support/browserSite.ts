import type { IncomingMessage, ServerResponse } from 'node:http'

const html = (title: string, body: string): string => `<!doctype html><title>${title}</title><body style="margin:0">${body}`

const pages: Readonly<Record<string, string>> = {
  '/': html('Shop', '<h1 id="top" class="big">Hello</h1><ul><li><a href="/a">A</a></li><li><a href="/b?x=1">B</a></li></ul><img src="/pixel.png">'),
  '/a': html('Page A', '<p>one</p><a href="/c">C</a><a href="/">home</a>'),
  '/b': html('Page B', '<p>two</p><a href="http://127.0.0.2:9/far">far</a>'),
  '/c': html('Page C', '<p>three</p>'),
  '/cookie': html('Cookies', '<script>localStorage.kept = "yes"; sessionStorage.brief = "no"; document.cookie = "made=here"</script>'),
  '/form': html('Form', '<form action="/sent" method="get"><input id="user" name="user"><button id="go">Go</button></form>'),
  '/sent': html('Sent', '<script>document.cookie = "sent=" + location.search.slice(1)</script>'),
  '/square': html('Square', '<div id="square" style="width:40px;height:30px;background:red"></div>'),
  '/endless': html('Endless', '<script>for (;;) {}</script>'),
  '/alerts': html('Alerts', '<p>after</p><script>for (let i = 0; i < 20; i++) alert(i)</script>'),
  '/popups': html('Popups', '<p>calm</p><script>for (let i = 0; i < 100; i++) open("/a")</script>'),
  '/tall': html('Tall', '<div style="height:100000px">tall</div>'),
}

/** Answers the pages that tests of browser operations open. */
export function answerPage(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site')
  const page = pages[pathname]
  if (page !== undefined) return void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  if (pathname === '/robots.txt') return void response.writeHead(200, { 'content-type': 'text/plain' }).end('User-agent: *\nDisallow: /b\n')
  if (pathname === '/echo') return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(request.headers))
  if (pathname === '/status') return void response.writeHead(Number(searchParams.get('code')), { 'content-type': 'text/html' }).end(html('Status', 'a page too'))
  if (pathname === '/loop') return void response.writeHead(302, { location: '/loop' }).end()
  if (pathname === '/metadata') return void response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end()
  if (pathname === '/to') return void response.writeHead(302, { location: `http://${searchParams.get('host')}:1/` }).end()
  if (pathname === '/never') return // nothing is ever answered
  response.writeHead(404, { 'content-type': 'text/html' }).end(html('Missing', 'nothing here'))
}
