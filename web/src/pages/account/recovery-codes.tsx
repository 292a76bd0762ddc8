/** Recovery codes, shown once. */
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { factorWords } from '../../words/factors.ts'

export function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={factorWords.codesTitle}
      description={factorWords.codesText}
    >
      <ul className="grid gap-1 rounded-md border border-line bg-sunken p-3 font-mono text-sm sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <DialogActions>
        <CopyButton text={codes.join('\n')} label={factorWords.copyCodes} />
        <Button look="main" onClick={onClose}>
          {factorWords.saved}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
