import type { Setting } from '../../contract/gonogo/service.ts'
import { settings, type Env } from '../../platform/env.ts'
import type { HandlersOf } from '../handler.ts'
import type { House } from '../house.ts'
import { pageOf } from '../paging.ts'

/** The settings in force, as the environment operation shows them. */
export function environmentHandlers(house: House): HandlersOf<'gonogo.env.read'> {
  return {
    'gonogo.env.read': async ({ query }) => pageOf(query, settingsOf(house.env)),
  }
}

/** Every setting but the secret ones, of which not even the names are shown. */
function settingsOf(env: Env): Setting[] {
  // The keys of an object literal are exactly its own.
  const keys = Object.keys(settings) as (keyof typeof settings)[]
  return keys.filter((key) => !isSecret(key)).map((key) => {
    const { name, doc } = settings[key]
    return { name, value: textOf(env[key]), default: defaultOf(key), description: doc }
  })
}

const isSecret = (key: keyof typeof settings): boolean => 'secret' in settings[key] && settings[key].secret

function defaultOf(key: keyof typeof settings): string | null {
  const row = settings[key]
  return 'fallback' in row ? (row.fallback ?? null) : null
}

/** A value as one would write it into the environment; null where it is unset. */
function textOf(value: Env[keyof Env]): string | null {
  if (value === undefined) return null
  return typeof value === 'object' ? value.join(',') : String(value)
}
