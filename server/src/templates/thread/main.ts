/** The thread that compiles and renders templates. `compile.ts` sends it requests. */
import { answerQuestions } from '../../lib/threads/thread-side.ts'
import { type Answer, answerTo, type Question } from './answer.ts'

answerQuestions<Question, Answer>((question, progress) => answerTo(question, progress))
