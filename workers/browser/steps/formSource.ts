/** How filling a field, or clicking, went. */
export type Filling = 'done' | 'missing' | 'wrong' | 'noOption' | 'noField'

const findSource = `(selector) => {
  try {
    return Document.prototype.querySelector.call(document, selector) ?? 'missing'
  } catch {
    return 'wrong'
  }
}`

/** Source of a function that fills a field as a user would, with the events that scripts of the page listen for. */
export const fillSource = `({ selector, value }) => {
  const field = (${findSource})(selector)
  if (typeof field === 'string') return field
  const tell = (...names) => names.forEach((name) => field.dispatchEvent(new Event(name, { bubbles: true, composed: true })))
  const set = (of, name, to) => Object.getOwnPropertyDescriptor(of.prototype, name).set.call(field, to)
  field.focus?.()
  if (field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio')) {
    const wanted = field.type === 'radio' || !['', 'false', 'off', 'no', '0'].includes(value.trim().toLowerCase())
    if (field.checked !== wanted) field.click()
  } else if (field instanceof HTMLInputElement) {
    if (['file', 'button', 'submit', 'reset', 'image'].includes(field.type)) return 'noField'
    set(HTMLInputElement, 'value', value)
    tell('input', 'change')
  } else if (field instanceof HTMLTextAreaElement) {
    set(HTMLTextAreaElement, 'value', value)
    tell('input', 'change')
  } else if (field instanceof HTMLSelectElement) {
    const options = [...field.options]
    const option = options.find((one) => one.value === value) ?? options.find((one) => one.text.trim() === value.trim())
    if (!option) return 'noOption'
    if (!field.multiple) set(HTMLSelectElement, 'value', option.value)
    option.selected = true
    tell('input', 'change')
  } else if (field.isContentEditable) {
    field.textContent = value
    tell('input')
  } else {
    return 'noField'
  }
  field.blur?.()
  return 'done'
}`

/** Source of a function that submits: a form by itself, anything else by a click. */
export const submitSource = `({ selector }) => {
  const element = (${findSource})(selector)
  if (typeof element === 'string') return element
  if (element instanceof HTMLFormElement) HTMLFormElement.prototype.requestSubmit.call(element)
  else if (element instanceof HTMLElement) HTMLElement.prototype.click.call(element)
  else element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, composed: true }))
  return 'done'
}`
