/** The thread in which files of strangers are split into records (`reader.ts` asks it). */
import { answerQuestions } from '../../../lib/threads/thread-side.ts'
import { type Beginning, findLayout, type LayoutFound } from '../layout.ts'
import { type Rows, type RowsWanted, readRows } from '../read-rows.ts'

export type Question = { layout: Beginning } | { rows: RowsWanted }
export type Answer = LayoutFound | Rows

answerQuestions<Question, Answer>((question, progress) => {
  progress.step('reading')
  return 'layout' in question ? findLayout(question.layout) : readRows(question.rows)
})
