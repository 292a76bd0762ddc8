/** The thread that reads what is too long for the main thread. `reader.ts` sends it requests. */
import { answerQuestions } from '../../../lib/threads/thread-side.ts'
import { type Beginning, findLayout, type LayoutFound } from '../layout.ts'
import { type Rows, type RowsWanted, readRows } from '../read-rows.ts'
import { type RawRows, splitRows } from '../split-rows.ts'

export type Question = { layout: Beginning } | { rows: RowsWanted } | { rawRows: RawRows }
export type Answer = LayoutFound | Rows | string[][]

answerQuestions<Question, Answer>((question, progress) => {
  progress.step('reading')
  if ('layout' in question) return findLayout(question.layout)
  if ('rawRows' in question) return splitRows(question.rawRows)
  return readRows(question.rows)
})
