import { boolean, choice, columnList, integer, optional, otherwise, text } from './params.ts'

/** Flags that every command takes. */
export const commonFlags = {
  cache: otherwise(boolean('false runs this command afresh, and so every stage behind it'), true),
  labelStage: optional(text('Names the stage')),
  appendStage: optional(text("Appends that stage's rows (true: the previous stage's) to this stage's")),
  checkpoint: optional(text('name:column — after the stage succeeds stores that column of the first row')),
  enrich: otherwise(boolean("Expanding commands: keep the input row's columns"), false),
  guid: otherwise(boolean('Adds _guid, a fresh UUID a row'), false),
  table: optional(columnList('Keeps only these columns of the result')),
  timeout: optional(integer('Milliseconds that each job of an expanding stage may take', 1)),
  retry: optional(integer('Times that a failed job of an expanding stage is tried again', 0, 2)),
  onError: otherwise(choice("What one row's failure does to an expanding stage", ['fail', 'skip', 'keep']), 'fail'),
} as const
