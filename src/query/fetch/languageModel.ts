import { Problem } from '../../platform/errors.ts'
import { applyCredential } from '../credentials/apply.ts'
import { fieldsOf, withoutSecrets, type CredentialContext } from '../credentials/fields.ts'
import { rowOf } from '../dataRows.ts'
import type { Incoming, OpenedCredential, Outgoing } from '../outside.ts'
import type { Row } from '../rows.ts'
import { acceptable, placeOf } from './answer.ts'
import { jsonOf } from './text.ts'

/** What a language model is asked. */
export interface Question {
  readonly text: string
  readonly system: string | undefined
  readonly baseUrl: string | undefined
  readonly model: string | undefined
  readonly temperature: number | undefined
  readonly json: boolean
}

const usualBaseUrl = 'https://api.openai.com/v1'
const usualModel = 'gpt-4o-mini'

/** Asks an OpenAI-compatible endpoint; the text of its answer. */
export async function askModel(question: Question, credential: OpenedCredential, context: CredentialContext): Promise<string> {
  const request = await applyCredential(credential, requestOf(question, credential), context)
  const incoming = await context.outside.send(request, context.signal)
  try {
    await acceptable(incoming, { acceptStatus: [] })
  } catch (error) {
    // Such endpoints repeat the key that they refuse.
    throw error instanceof Problem ? new Problem(error.code, withoutSecrets(error.message, credential), error.options) : error
  }
  return textIn(await jsonOf(incoming), incoming)
}

function requestOf(question: Question, credential: OpenedCredential): Outgoing {
  const base = question.baseUrl ?? fieldsOf(credential, 'openai').baseUrl ?? usualBaseUrl
  const url = `${base.replace(/\/+$/, '')}/chat/completions`
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new Problem(
      'unprocessable',
      `The base address of the language model must begin with http:// or https:// and name a host; see --url.`,
    )
  }
  const headers = { accept: 'application/json', 'content-type': 'application/json' }
  return { method: 'POST', url, headers, body: JSON.stringify(bodyOf(question)) }
}

function bodyOf({ text, system, model = usualModel, temperature, json }: Question): object {
  const wish = json ? jsonWish(`${system ?? ''} ${text}`) : undefined
  const told = [system, wish].filter((part) => part !== undefined && part !== '').join('\n\n')
  return {
    model,
    messages: [...(told === '' ? [] : [{ role: 'system', content: told }]), { role: 'user', content: text }],
    ...(temperature === undefined ? {} : { temperature }),
    ...(json ? { response_format: { type: 'json_object' } } : {}),
  }
}

/** Endpoints refuse to answer JSON where no message speaks of it. */
const jsonWish = (messages: string): string | undefined => (/json/i.test(messages) ? undefined : 'Answer with one JSON object.')

function textIn(answer: unknown, incoming: Incoming): string {
  const message = at(at(at(answer, 'choices'), '0'), 'message')
  const content = at(message, 'content')
  if (typeof content === 'string') return content
  const refusal = at(message, 'refusal')
  if (typeof refusal === 'string') throw new Problem('command_failed', `The language model refuses to answer: ${refusal.slice(0, 500)}`)
  throw new Problem(
    'target_unreadable',
    `The answer of ${placeOf(incoming.url)} holds no message; see that this is an OpenAI-compatible endpoint.`,
  )
}

function at(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Readonly<Record<string, unknown>>)[key] // an object that has it
}

/** The columns of an answer. */
export function answerCells(text: string, isJson: boolean): Row {
  if (!isJson) return { '_prompt.text': text }
  return Object.fromEntries(Object.entries(rowOf(parse(text))).map(([name, cell]) => [`_prompt.${name}`, cell]))
}

/** Some models put a fence around their JSON although they are told not to. */
function parse(text: string): unknown {
  const bare = /^\s*```(?:json)?\s*\n([^]*?)\n?\s*```\s*$/i.exec(text)?.[1] ?? text
  try {
    return JSON.parse(bare)
  } catch {
    throw new Problem(
      'target_unreadable',
      `The language model did not answer with valid JSON, but with ${JSON.stringify(text.slice(0, 100))}.`,
    )
  }
}
