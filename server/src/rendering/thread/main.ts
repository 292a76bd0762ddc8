/** The thread that fills in known templates, and makes of each the whole message. */
import { answerQuestions, threadData } from '../../lib/threads/thread-side.ts'
import { type Answer, answerTo, type Question } from '../../templates/thread/answer.ts'
import type { RenderWorkerData } from '../message.ts'
import { createMailBuilder } from './mail-builder.ts'

const mailBuilder = createMailBuilder(threadData<RenderWorkerData>())

answerQuestions<Question, Answer>((question, progress) => answerTo(question, progress, mailBuilder))
