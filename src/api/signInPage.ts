/** What the page may do: show itself and send its form. */
export const signInPolicy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

/** A page that asks for an API key; `words` say why. */
export function signInPage(words: string): string {
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Quern: sign in</title>
  <style>
    body { font: 16px/1.5 system-ui, sans-serif; max-width: 28rem; margin: 15vh auto; padding: 0 1rem; color: #222; background: #fff }
    input, button { font: inherit; width: 100%; padding: .5rem; margin-top: .5rem; box-sizing: border-box }
    @media (prefers-color-scheme: dark) { body { color: #ddd; background: #181818 } }
  </style>
</head>
<body>
  <h1>Queues</h1>
  <p>${words}</p>
  <form method="post" action="/ops/sign-in">
    <label>API key <input name="key" type="password" autocomplete="current-password" required autofocus></label>
    <button>Sign in</button>
  </form>
</body>
</html>
`
}
