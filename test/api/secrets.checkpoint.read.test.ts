import { describeNamedTextRead } from '../support/namedTexts/read.ts'

describeNamedTextRead('checkpoint')
