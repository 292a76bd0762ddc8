/** The worker thread that renders known templates and builds each whole message. */
import { answerQuestions, threadData } from '../../lib/threads/thread-side.ts'
import { type Answer, answerTo, type Question } from '../../templates/thread/answer.ts'
import type { RenderWorkerData } from '../worker-messages.ts'
import { createMailBuilder } from './mail-builder.ts'

const mailBuilder = createMailBuilder(threadData<RenderWorkerData>())

answerQuestions<Question, Answer>((question, progress) => answerTo(question, progress, mailBuilder))
