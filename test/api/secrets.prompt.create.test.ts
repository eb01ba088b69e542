import { describeNamedTextCreate } from '../support/namedTexts/create.ts'

describeNamedTextCreate('prompt')
