/** Questions to the person at the terminal, if there is one. */
import { CommandError } from './failure.ts'

const attended = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true

/** The value given, or the person's answer. Without a terminal the option is required. */
export async function orAsk(
  given: string | undefined,
  question: { option: string; message: string },
): Promise<string> {
  if (given !== undefined) return given
  if (!attended()) throw new CommandError('usage', `${question.option} is required.`)
  const { isCancel, text } = await import('@clack/prompts')
  const answer = await text({
    message: question.message,
    output: process.stderr,
    validate: (value) => (value?.trim() ? undefined : 'Please type something.'),
  })
  if (isCancel(answer)) throw new CommandError('interrupted', 'Stopped.')
  return answer.trim()
}

/** Asks for confirmation of something that cannot be undone. Without a terminal `--yes` is required. */
export async function confirmed(message: string, yes: boolean | undefined): Promise<void> {
  if (yes) return
  if (!attended()) throw new CommandError('usage', `${message} Add --yes to confirm.`)
  const { confirm, isCancel } = await import('@clack/prompts')
  const answer = await confirm({ message, initialValue: false, output: process.stderr })
  if (isCancel(answer) || !answer) throw new CommandError('interrupted', 'Nothing was changed.')
}

/** The server reads BACKUP_PASSPHRASE itself; if it is not set, the person is asked, without echo. */
export async function askPassphrase(
  message: string,
  setting = 'BACKUP_PASSPHRASE',
): Promise<string | undefined> {
  if (process.env[setting] !== undefined || !attended()) return undefined
  const { isCancel, password } = await import('@clack/prompts')
  const answer = await password({ message, output: process.stderr })
  if (isCancel(answer)) throw new CommandError('interrupted', 'Stopped.')
  return answer === '' || answer === undefined ? undefined : answer
}
