import { describeNamedTextList } from '../support/namedTexts/list.ts'

describeNamedTextList('checkpoint')
