import { describeNamedTextUpdate } from '../support/namedTexts/update.ts'

describeNamedTextUpdate('checkpoint')
