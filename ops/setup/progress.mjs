const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

const seconds = (sinceMs) => {
  const elapsed = (Date.now() - sinceMs) / 1000
  return elapsed < 10 ? `${elapsed.toFixed(1)} s` : `${Math.round(elapsed)} s`
}

/** Runs one step and shows that it is under way: a spinner on a terminal, plain lines elsewhere. */
export async function step(title, work, wentWell = () => true) {
  const startedMs = Date.now()
  const show = process.stdout.isTTY ? spin(title, startedMs) : announce(title, startedMs)
  try {
    const result = await work()
    show.end(wentWell(result))
    return result
  } catch (error) {
    show.end(false)
    throw error
  }
}

function spin(title, startedMs) {
  let frame = 0
  const draw = () => {
    frame = (frame + 1) % frames.length
    process.stdout.write(`\r\x1b[K${frames[frame]} ${title} ${seconds(startedMs)}`)
  }
  draw()
  const timer = setInterval(draw, 100)
  return {
    end(ok) {
      clearInterval(timer)
      process.stdout.write(`\r\x1b[K${ok ? '✓' : '✗'} ${title} (${seconds(startedMs)})\n`)
    },
  }
}

function announce(title, startedMs) {
  process.stdout.write(`${title} …\n`)
  const timer = setInterval(() => process.stdout.write(`${title} … ${seconds(startedMs)}\n`), 30_000)
  return {
    end(ok) {
      clearInterval(timer)
      process.stdout.write(`${title}: ${ok ? 'done in' : 'failed after'} ${seconds(startedMs)}\n`)
    },
  }
}
