import { describe, expect, it } from 'vitest'
import { tasks } from '../../../../workers/browser/steps/tasks.ts'
import { openBench, problemOf } from '../../../support/browserTasks.ts'

const bench = openBench({
  '/': `<!doctype html><title>start</title><script>localStorage.setItem('seen', Number(localStorage.getItem('seen') ?? 0) + 1)</script>
    <a href=/two>two</a><a id=slow href=/slow>slow</a><a id=gone href="http://10.0.0.1/">gone</a><a id=locked href="https://10.0.0.1/">gone</a><a id=file href=/204>file</a>`,
  '/two': (_request, response) => response.writeHead(201, { 'content-type': 'text/html', 'set-cookie': 'n=2; HttpOnly' }).end('<title>second</title><script>sessionStorage.s = 1</script>'),
  '/slow': (_request, response) => void setTimeout(() => response.writeHead(200, { 'content-type': 'text/html' }).end('<title>slow</title>'), 1_200),
  '/204': (_request, response) => response.writeHead(204).end(),
  '/login': `<!doctype html><title>login</title><form action=/welcome method=post><input name=user id=user><input name=password type=password><textarea name=note></textarea>
    <select name=colour><option value=r>red<option value=b>blue</select><input type=checkbox name=terms><input type=checkbox name=news checked>
    <input type=radio name=size value=s><input type=radio name=size value=l><div id=free contenteditable></div><input type=file name=file><button>go</button></form>
    <script>
      window.events = []
      user.addEventListener('input', () => events.push('input'))
      user.addEventListener('change', () => sessionStorage.setItem('events', [...events, 'change']))
    </script>`,
  '/welcome': (request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => (body += part)).once('end', () => {
      response.writeHead(303, { location: '/done', 'set-cookie': `sent=${encodeURIComponent(body)}` }).end()
    })
  },
  '/done': '<title>done</title><script>localStorage.setItem("in", "yes")</script>',
  '/app': `<title>app</title><button onclick="fetch('/delayed').then(() => { location = '/two' })">x</button>`,
  '/delayed': (_request, response) => void setTimeout(() => response.end('x'), 300),
})

const run = (path: string, expression: string | string[], more: object = {}) =>
  tasks['page.session']({ url: `${bench.url}${path}`, expression, ...more }, bench.tools()).then(({ answer }) => answer)
const click = (selector: string): string => `() => { document.querySelector('${selector}').click(); return 'clicked' }`

describe('a session', { timeout: 60_000 }, () => {
  it('captures cookies and storages at every load, and the last ones at the top', async () => {
    const answer = await run('/', [click('a'), '() => { history.back() }'], { localStorage: { mine: 'x' } })
    expect(answer.steps).toMatchObject([
      { url: `${bench.url}/`, status: 200, result: null, cookieStorage: {}, localStorage: { seen: '1', mine: 'x' }, sessionStorage: {} },
      { url: `${bench.url}/two`, status: 201, result: 'clicked', cookieStorage: { n: { value: '2', httpOnly: true } }, sessionStorage: { s: '1' } },
      { url: `${bench.url}/`, status: 200, localStorage: { mine: 'x' } },
    ])
    expect(answer).toMatchObject({ attempts: 1, cookieStorage: { n: { value: '2' } }, sessionStorage: { s: '1' }, page: { url: `${bench.url}/`, title: 'start' } })
  })

  it('waits for loads that are slow, or begin late', async () => {
    expect((await run('/', click('#slow'))).page).toMatchObject({ title: 'slow', status: 200 })
    expect((await run('/app', click('button'))).page).toMatchObject({ title: 'second', status: 201 })
    expect((await run('/', '() => { location.href = "/two"; return new Promise(() => undefined) }')).steps[1]).toMatchObject({ url: `${bench.url}/two`, result: null })
  })

  it('goes on in the same page where nothing follows', async () => {
    const answer = await run('/', ['localStorage.setItem("k", "v")', click('#file'), '(n) => n + 1'], { args: [1] })
    expect(answer.steps.map(({ result }) => result)).toEqual([null, null, 'clicked', 2])
    expect(new Set(answer.steps.map(({ url }) => url))).toEqual(new Set([`${bench.url}/`]))
    expect(answer).toMatchObject({ localStorage: { k: 'v', seen: '1' }, page: { title: 'start', status: 200 } })
  })

  it('fails where an expression fails or leads to what may not be reached', async () => {
    expect(await problemOf(run('/', '() => missing'))).toMatchObject({ code: 'expression_failed' })
    expect(await problemOf(run('/', click('#gone')))).toMatchObject({ code: 'target_forbidden' })
    expect(await problemOf(run('/', click('#locked')))).toMatchObject({ code: 'target_forbidden' })
  })

  it('asks for a permit before every document, and ends as the permit does', async () => {
    const asked: string[] = []
    const permit = (url: string): Promise<void> => {
      asked.push(new URL(url).pathname)
      return asked.length > 3 ? Promise.reject(new Error('enough')) : Promise.resolve()
    }
    const tools = bench.tools({ permit })
    const draft = { url: `${bench.url}/login`, selectorValuePairs: [['#user', 'a'] as [string, string]], submitSelector: 'button' }
    await expect(tasks['page.form'](draft, tools)).resolves.toMatchObject({ answer: { page: { title: 'done' } } })
    expect(asked).toEqual(['/login', '/welcome', '/done'])
    await expect(tasks['page.session']({ url: `${bench.url}/`, expression: '1', retry: 2 }, tools)).rejects.toThrow('enough')
    expect(asked).toHaveLength(4)
  })
})

describe('a form', { timeout: 60_000 }, () => {
  const submit = (selectorValuePairs: [string, string][], submitSelector = 'button', more: object = {}) =>
    tasks['page.form']({ url: `${bench.url}/login`, selectorValuePairs, submitSelector, ...more }, bench.tools()).then(({ answer }) => answer)

  it('is filled by selectors, submitted, and followed', async () => {
    const answer = await submit([
      ['#user', 'ada'], ['input[type=password]', 'p&w'], ['textarea', 'a\nb'], ['select', 'blue'],
      ['[name=terms]', 'true'], ['[name=news]', 'false'], ['[value=l]', 'on'], ['#free', 'x'],
    ], 'button', { ready: 'winload' })
    expect(answer).toMatchObject({ attempts: 1, localStorage: { in: 'yes' }, sessionStorage: { events: 'input,change' } })
    expect(answer.page).toMatchObject({ url: `${bench.url}/done`, title: 'done', status: 200 })
    const sent = new URLSearchParams(decodeURIComponent(answer.cookieStorage['sent']?.value ?? ''))
    expect(Object.fromEntries(sent)).toEqual({ user: 'ada', password: 'p&w', note: 'a\r\nb', colour: 'b', terms: 'on', size: 'l', file: '' })
  })

  it('can be submitted by its own selector', async () => {
    expect(await submit([['#user', 'x']], 'form')).toMatchObject({ page: { title: 'done' } })
  })

  it('fails with what is missing or cannot be filled', async () => {
    expect(await problemOf(submit([['#nobody', 'x']]))).toMatchObject({ code: 'selector_not_found', message: 'Nothing in the page matches the selector #nobody.' })
    expect(await problemOf(submit([['#user', 'x']], '#nothing'))).toMatchObject({ code: 'selector_not_found' })
    expect(await problemOf(submit([['select', 'green']]))).toMatchObject({ code: 'unprocessable' })
    expect(await problemOf(submit([['[name=file]', 'x']]))).toMatchObject({ code: 'unprocessable' })
    expect(await problemOf(submit([['a[', 'x']]))).toMatchObject({ code: 'validation_failed', options: { faults: [{ path: '/selectorValuePairs/0/0' }] } })
  })
})
