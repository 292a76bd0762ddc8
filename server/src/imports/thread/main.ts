/** The thread that reads what is too long for the main thread. `reader.ts` sends it requests. */

import { answerQuestions } from '../../lib/threads/thread-side.ts'
import { type Beginning, findLayout, type LayoutFound } from '../layout.ts'
import { type RawRows, type Rows, type RowsWanted, readRows, splitRows } from '../read-rows.ts'

export type Question = { layout: Beginning } | { rows: RowsWanted } | { rawRows: RawRows }
export type Answer = LayoutFound | Rows | string[][]

answerQuestions<Question, Answer>((question, progress) => {
  progress.step('reading')
  if ('layout' in question) return findLayout(question.layout)
  if ('rawRows' in question) return splitRows(question.rawRows)
  return readRows(question.rows)
})
