import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { tasks } from '../../../../workers/browser/steps/tasks.ts'
import { openBench, problemOf } from '../../../support/browserTasks.ts'

const list = `<ul style="position:absolute;left:10px;top:20px;margin:0;padding:0">
  <li class=a data-x="1" style="width:50px;height:30px">one <b>1</b></li><li class=a>two</li></ul>`

const bench = openBench({
  '/': `<!doctype html><title>list</title><body>${list}<svg><circle r=1 /></svg><p id=hidden style="display:none">x</p>`,
  '/hostile': `<!doctype html><body><p>a</p><p>b</p><img name=querySelectorAll>
    <form id=f><input name=attributes><input name=innerHTML><input name=parentElement></form>
    <script>
      JSON.stringify = () => 'x'
      window.$ = window.jQuery = 1
      document.querySelectorAll = () => []
      Element.prototype.getAttributeNames = () => { throw 1 }
      Array.prototype.push = null
    </script>`,
  '/large': '<body><p hidden></p><script>document.querySelector("p").textContent = "x".repeat(12_000_000)</script>',
  '/shows': '<!doctype html><p id=p style="display:none">x</p><script>setTimeout(() => { p.style.display = "block" }, 300)</script>',
})

const select = (path: string, selector: string, more: object = {}) =>
  tasks['page.selector']({ url: `${bench.url}${path}`, selector, device: 'Desktop', ...more }, bench.tools()).then(({ answer }) => answer)
const sha = (text: string): string => createHash('sha256').update(text).digest('hex')

describe('a selector', { timeout: 60_000 }, () => {
  it('answers the elements with their HTML, text, attributes and place', async () => {
    const answer = await select('/', 'li.a')
    expect(answer).toMatchObject({ total: 2, attempts: 1, page: { status: 200, title: 'list', url: `${bench.url}/` } })
    expect(answer.elements[0]).toEqual({
      nodeName: 'LI',
      attributes: { class: 'a', 'data-x': '1', style: 'width:50px;height:30px' },
      innerText: 'one 1',
      innerHTML: 'one <b>1</b>',
      outerHTML: '<li class="a" data-x="1" style="width:50px;height:30px">one <b>1</b></li>',
      boundingClientRect: { x: 10, y: 20, width: 50, height: 30, top: 20, right: 60, bottom: 50, left: 10 },
    })
  })

  it('answers only what is asked for, and hashes of HTML', async () => {
    const { elements: [bare] } = await select('/', 'li', { html: false, dimension: false })
    expect(Object.keys(bare ?? {})).toEqual(['nodeName', 'attributes', 'innerText'])
    const { elements: [hashed, second] } = await select('/', 'li', { html: false, hashtml: true, dimension: false })
    const outer = '<li class="a" data-x="1" style="width:50px;height:30px">one <b>1</b></li>'
    expect(hashed).toMatchObject({ innerHTMLHash: sha('one <b>1</b>'), outerHTMLHash: sha(outer) })
    expect(hashed).not.toHaveProperty('innerHTML')
    const { elements: [parent] } = await select('/', 'ul', { hashtml: true })
    expect([hashed?.parentHTMLHash, second?.parentHTMLHash]).toEqual([parent?.outerHTMLHash, parent?.outerHTMLHash])
    expect((await select('/', 'circle')).elements[0]).toMatchObject({ nodeName: 'CIRCLE', innerText: '', attributes: { r: '1' } })
  })

  it('is looked up by jQuery where asked, and may match nothing', async () => {
    expect((await select('/', 'li:contains("two")', { engine: 'jquery' })).elements).toMatchObject([{ innerText: 'two' }])
    expect((await select('/', 'li:eq(0)', { engine: 'jquery' })).total).toBe(1)
    expect(await select('/', 'table')).toMatchObject({ elements: [], total: 0 })
    expect(await problemOf(select('/', 'li['))).toMatchObject({ code: 'validation_failed', options: { faults: [{ path: '/selector' }] } })
  })

  it('is not led astray by a page that puts its own things in the place of others', async () => {
    const { elements } = await select('/hostile', 'p, form', { hashtml: true })
    expect(elements.map(({ nodeName, innerText }) => [nodeName, innerText])).toEqual([['P', 'a'], ['P', 'b'], ['FORM', '']])
    expect(elements[2]).toMatchObject({ attributes: { id: 'f' }, innerHTML: '<input name="attributes"><input name="innerHTML"><input name="parentElement">' })
    expect((await select('/hostile', 'p:first', { engine: 'jquery' })).elements).toMatchObject([{ innerText: 'a' }])
  })

  it('runs an expression first, and takes what was asked for beside the elements', async () => {
    const { answer, picture } = await tasks['page.selector'](
      { url: `${bench.url}/`, selector: 'li', expression: '(n) => { document.querySelector("li").remove(); return n }', args: [4], screenshot: true, session: true },
      bench.tools(),
    )
    expect(answer).toMatchObject({ total: 1, result: 4, cookieStorage: {}, screenshot: { type: 'jpeg', hash: picture?.hash } })
  })

  it('waits for what it selects to be visible', async () => {
    expect((await select('/shows', '#p', { visible: true })).elements).toMatchObject([{ innerText: 'x', attributes: { style: 'display: block;' } }])
  })

  it('fails when the elements hold too much', async () => {
    expect(await problemOf(select('/large', 'p'))).toMatchObject({ code: 'target_too_large' })
    expect((await select('/large', 'p', { html: false })).total).toBe(1)
  })
})
