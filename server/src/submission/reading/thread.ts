/** The thread in which submitted mails are parsed (`mail-reader.ts` asks it). */
import { answerQuestions } from '../../lib/threads/thread-side.ts'
import type { SubmittedMail } from './mail.ts'
import { parseMail } from './parse-mail.ts'

/** Null where the mail has more or deeper parts, or longer fields, than the parser reads. */
answerQuestions<Uint8Array, SubmittedMail | null>(async (source, progress) => {
  progress.step('parsing')
  return parseMail(source).catch(() => null)
})
