/** The thread that reads what is too long for the main thread. `reader.ts` sends it requests. */

import { answerQuestions } from '../../lib/threads/thread-side.ts'
import { findLayout } from '../layout.ts'
import type { Answer, Question } from '../reader.ts'
import { readRows, splitRows } from '../reader.ts'

answerQuestions<Question, Answer>((question, progress) => {
  progress.step('reading')
  if ('layout' in question) return findLayout(question.layout)
  if ('rawRows' in question) return splitRows(question.rawRows)
  return readRows(question.rows)
})
