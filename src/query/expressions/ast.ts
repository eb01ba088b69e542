import type { Part } from '../text/fill.ts'

/** What an expression works on. */
export type Value = string | number | boolean | null | readonly Value[]

export type BinaryOperator =
  | 'or' | 'and' | '==' | '!=' | '<' | '<=' | '>' | '>=' | '=~' | '!~' | 'in' | 'not in'
  | 'contains' | 'startsWith' | 'endsWith' | '+' | '-' | '*' | '/' | '%'

/** An expression as a tree. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: Value }
  | { readonly kind: 'column'; readonly name: string }
  /** A string literal with tokens in it, or a token alone: data, whatever it holds. */
  | { readonly kind: 'data'; readonly parts: readonly Part[] }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'call'; readonly name: string; readonly items: readonly Expression[] }
  | { readonly kind: 'not'; readonly item: Expression }
  | { readonly kind: 'negate'; readonly item: Expression }
  | { readonly kind: 'binary'; readonly operator: BinaryOperator; readonly left: Expression; readonly right: Expression }
