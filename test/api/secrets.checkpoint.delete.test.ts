import { describeNamedTextDelete } from '../support/namedTexts/delete.ts'

describeNamedTextDelete('checkpoint')
