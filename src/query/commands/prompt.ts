import { Problem } from '../../platform/errors.ts'
import { exactly } from '../bounds.ts'
import { defineCommand } from '../command.ts'
import { withCells } from '../columns.ts'
import { address } from '../fetch/address.ts'
import { answerCells, askModel, type Question } from '../fetch/languageModel.ts'
import { boolean, filledText, named, number, optional, otherwise, text } from '../params.ts'

export const prompt = defineCommand({
  name: 'prompt',
  kind: 'expand',
  summary: 'Asks a language model once a row; the answer is _prompt.text, or with --json the columns _prompt.*; the row is kept',
  args: { text: filledText('What to ask') },
  flags: {
    credential: named('credential', 'Name of an openai credential'),
    model: optional(text('The model')),
    system: optional(filledText('What the model is told beforehand')),
    temperature: optional(number('How freely it answers', 0, 2)),
    json: otherwise(boolean('Asks for JSON and makes columns of it'), false),
    url: optional(address('Base address of an OpenAI-compatible endpoint')),
  },
  examples: [
    'prompt "Say hello" --credential openai',
    'seed \'{review: "Great"}\' || prompt "Is this friendly? $review$" --credential openai --json',
  ],
  keepsRow: true,
  rowsPerJob: 10,
  requests: () => exactly(1),
  rows: (input) => input,

  async *each(row, { args, flags, context }) {
    const credential = await context.outside.credential(flags.credential)
    if (credential.type !== 'openai') {
      throw new Problem(
        'unprocessable',
        `--credential names ${credential.name}, which is a credential of the type ${credential.type}; prompt needs one of the type openai.`,
      )
    }
    const question: Question = {
      text: args.text(row, context.lookup),
      system: flags.system?.(row, context.lookup),
      baseUrl: flags.url?.(row, context.lookup),
      model: flags.model,
      temperature: flags.temperature,
      json: flags.json,
    }
    yield [withCells(row, answerCells(await askModel(question, credential, context), flags.json))]
  },
})
