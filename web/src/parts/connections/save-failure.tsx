/** Why a save failed; where the sign-in is too long ago, with the way to do it again. */
import { CrierError } from '@crier-mail/sdk/session'
import { buttonClass } from '../../ui/button.tsx'
import { Failure } from '../../ui/states.tsx'
import { words } from '../../words/words.ts'

export function SaveFailure({ error, signInAgain }: { error: Error | null; signInAgain: string }) {
  if (!error) return null
  if (!(error instanceof CrierError && error.code === 'unauthorized')) {
    return <Failure error={error} />
  }
  return (
    <div role="alert" className="grid gap-2 rounded-lg border border-line bg-warn-ground p-3">
      <p>{signInAgain}</p>
      <a
        className={buttonClass('plain', 'justify-self-start')}
        href={`/login?again=yes&next=${encodeURIComponent(location.pathname)}`}
      >
        {words.session.here}
      </a>
    </div>
  )
}
