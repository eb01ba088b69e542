import { boolean, choice, columnList, integer, optional, otherwise, planned, text } from './params.ts'
import { checkpoint, label } from './stageNames.ts'

/** Flags that every command takes; they say how its stage is run, and so must be known before any row is. */
export const commonFlags = {
  cache: otherwise(planned(boolean('false runs this command afresh, and so every stage behind it')), true),
  labelStage: optional(planned(label('Names the stage'))),
  appendStage: optional(planned(text("Appends that stage's rows (true: the previous stage's) to this stage's"))),
  checkpoint: optional(planned(checkpoint('name:column — after the stage succeeds stores that column of the first row'))),
  enrich: otherwise(planned(boolean("Expanding commands: keep the input row's columns")), false),
  guid: otherwise(planned(boolean('Adds _guid, a fresh UUID a row')), false),
  table: optional(planned(columnList('Keeps only these columns of the result'))),
  timeout: optional(planned(integer('Milliseconds that each job of an expanding stage may take', 1, 2_147_483_647))),
  retry: optional(planned(integer('Times that a failed job of an expanding stage is tried again', 0, 2))),
  onError: otherwise(planned(choice("What one row's failure does to an expanding stage", ['fail', 'skip', 'keep'])), 'fail'),
} as const
