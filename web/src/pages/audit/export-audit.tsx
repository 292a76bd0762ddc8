/** Exports the entries that the filters choose, after a recent sign-in. */
import { CrierError } from '@crier-mail/sdk/session'
import { useMutation } from '@tanstack/react-query'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { signInAgainUrl } from '../../api/session.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { problemOf } from '../../ui/states.tsx'
import { tell, tellFailure } from '../../ui/tell.ts'
import { auditWords } from '../../words/audit.ts'
import { words } from '../../words/words.ts'
import { inputOf } from './input.ts'
import type { AuditFilters } from './search.ts'

const isOld = (error: unknown) => error instanceof CrierError && error.code === 'unauthorized'

export function ExportAudit({ filters }: { filters: AuditFilters }) {
  const business_id = useBusinessId()
  const audit = auditWords
  const make = useMutation({
    meta: { asksForFreshSignIn: true },
    mutationFn: () => api.audit.export({ business_id, ...inputOf(filters) }),
    onSuccess: ({ url, file_name }) => {
      // The response is an attachment, so the page stays.
      location.assign(url)
      tell(audit.exportBegun(file_name))
    },
    onError: (error) => isOld(error) || tellFailure(audit.exportFailed, problemOf(error).message),
  })
  return (
    <>
      <Button icon="download" busy={make.isPending} onClick={() => make.mutate()}>
        <span className="max-sm:sr-only">{audit.export}</span>
      </Button>
      <Dialog
        open={isOld(make.error)}
        onClose={make.reset}
        title={audit.export}
        description={audit.signInAgain}
      >
        <DialogActions>
          <Button onClick={make.reset}>{words.cancel}</Button>
          <a className={buttonClass('main')} href={signInAgainUrl()}>
            {words.session.here}
          </a>
        </DialogActions>
      </Dialog>
    </>
  )
}
