/** The thread in which templates are compiled and rendered (`compile.ts` asks it). */
import { answerQuestions } from '../../lib/threads/thread-side.ts'
import { type Answer, answerTo, type Question } from './answer.ts'

answerQuestions<Question, Answer>((question, progress) => answerTo(question, progress))
