/** What a user needs to know once everything runs. */
export interface BannerFacts {
  readonly address: string
  readonly authScheme: string
  /** The first API key, where this start made it. */
  readonly key: string | null
  readonly startedInMs: number
}

/** The closing words of a start: where everything is, the first key, and a command that works when pasted. */
export function writeBanner({ address, authScheme, key, startedInMs }: BannerFacts): string {
  const seconds = (startedInMs / 1000).toFixed(1)
  const header = key ? `'Authorization: ${authScheme} ${key}'` : `"Authorization: ${authScheme} $QUERN_API_KEY"`
  return [
    '',
    `Quern is ready (${seconds} s).`,
    '',
    `  Console        ${address}/`,
    `  API            ${address}/v1`,
    `  API reference  ${address}/docs`,
    ...(key ? ['', `  API key        ${key}`, '                 Keep it: it is shown only now.'] : []),
    '',
    ...(key ? ['Try it:'] : ['Try it, with your API key in QUERN_API_KEY:']),
    '',
    `  curl -s -H ${header} -H 'Content-Type: application/json' -d '{"query": "range 10 || stats count sum(n)"}' ${address}/v1/sirp/query/runner/dispatch/wait`,
    '',
    'Ctrl-C stops everything.',
    '',
  ].join('\n')
}
