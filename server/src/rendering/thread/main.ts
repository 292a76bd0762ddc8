/** The thread that fills in known templates, and makes of each the whole message. */
import { answerQuestions, threadData } from '../../lib/threads/thread-side.ts'
import { type Answer, answerTo, type Question } from '../../templates/thread/answer.ts'
import type { PressData } from '../message.ts'
import { createPress } from './press.ts'

const press = createPress(threadData<PressData>())

answerQuestions<Question, Answer>((question, progress) => answerTo(question, progress, press))
