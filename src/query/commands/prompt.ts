import { defineCommand } from '../command.ts'
import { boolean, filledText, named, number, optional, otherwise, text } from '../params.ts'

export const prompt = defineCommand({
  name: 'prompt',
  kind: 'expand',
  summary: 'Asks a language model once a row; the answer is _prompt.text, or flattened JSON',
  args: { text: filledText('What to ask') },
  flags: {
    credential: named('credential', 'Name of an openai credential'),
    model: optional(text('The model')),
    system: optional(filledText('What the model is told beforehand')),
    temperature: optional(number('How freely it answers', 0, 2)),
    json: otherwise(boolean('Asks for JSON and makes columns of it'), false),
    url: optional(filledText('Base address of an OpenAI-compatible endpoint')),
  },
  examples: ['prompt "Say hello" --credential openai', 'seed \'{review: "Great"}\' || prompt "Is this friendly? $review$" --credential openai --json'],
})
