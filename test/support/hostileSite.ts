import type { IncomingMessage, ServerResponse } from 'node:http'

const script = (source: string): string => `<!doctype html><title>hostile</title><p>here</p><script>${source}</script>`

/** Pages that do harm as soon as they are opened, by their path. */
const pages: Readonly<Record<string, string>> = {
  '/calm': '<!doctype html><title>calm</title>',
  '/loop': script('for (;;);'),
  '/lateLoop': script('setTimeout(() => { for (;;); }, 10)'),
  '/buffers': script('setTimeout(() => { const held = []; for (;;) try { held.push(new Uint8Array(64 << 20).fill(1)) } catch { } }, 10)'),
  '/objects': script('setTimeout(() => { const held = []; for (;;) held.push(Array.from({ length: 1000 }, (_, i) => ({ i, text: "x" + i }))) }, 10)'),
  '/alerts': script('for (;;) alert(1)'),
  '/stay': script('addEventListener("beforeunload", (event) => { event.preventDefault(); event.returnValue = "stay"; for (;;); })'),
  '/busy': script('setInterval(() => fetch("/calm?" + Math.random()), 50)'),
  '/popups': script('for (let i = 0; i < 1000; i++) open("/calm?" + i, "w" + i)'),
  '/tall': '<!doctype html><title>tall</title><div style="height: 100000px; width: 100000px; background: linear-gradient(red, blue)"></div>',
  '/log': script('for (;;) console.log("x".repeat(50_000_000))'),
}

/** Answers hostile pages. */
export function answerHostile(request: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(request.url ?? '/', 'http://site')
  const page = pages[pathname]
  if (page !== undefined) return void html(response).end(page)
  if (pathname === '/frames') return void html(response).end(frames())
  if (pathname === '/endless') return endless(response)
  if (pathname === '/around') return void response.writeHead(302, { location: `/around?${Math.random()}` }).end()
  if (pathname === '/metadata') return void response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end()
  if (pathname === '/file') {
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment; filename=a.bin' })
    return void response.end(Buffer.alloc(1_000_000))
  }
  response.writeHead(404).end()
}

const html = (response: ServerResponse): ServerResponse => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })

/** Two frames of the same kind, each at an address of its own: browsers refuse a page that holds itself. */
const frames = (): string => `<!doctype html><title>frames</title>${'12'.replaceAll(/./g, () => `<iframe src="/frames?${Math.random()}"></iframe>`)}`

/** A page that goes on as long as somebody reads it. */
function endless(response: ServerResponse): void {
  const part = '<p>more</p>'.repeat(5_000)
  const write = (): void => {
    while (!response.destroyed && response.write(part));
  }
  html(response).on('drain', write)
  write()
}
