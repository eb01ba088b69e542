/** How often something of a page is looked at. */
export type Polling = number | 'raf' | 'mutation'

/** Source of a function that waits until `holds` does, and answers whether it did in time. */
export const pollSource = `(holds, polling, ms) => new Promise((resolve, reject) => {
  let timer, observer, over = false
  const end = (settle, value) => {
    over = true
    clearTimeout(timer)
    clearTimeout(late)
    if (observer) observer.disconnect()
    settle(value)
  }
  const late = setTimeout(() => end(resolve, false), ms)
  const look = async () => {
    if (over) return
    try {
      if (await holds()) return end(resolve, true)
    } catch (error) {
      return end(reject, error)
    }
    if (over) return
    if (polling === 'raf') requestAnimationFrame(look)
    else if (polling !== 'mutation') timer = setTimeout(look, polling)
  }
  if (polling === 'mutation') {
    observer = new MutationObserver(look)
    observer.observe(document, { childList: true, subtree: true, attributes: true, characterData: true })
  }
  look()
})`
