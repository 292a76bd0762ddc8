export const removals = {
  title: 'On hold for 24 hours',
  about:
    'Assistants ordered what cannot be undone. It is done after 24 hours unless you cancel it, or at once if you say so.',
  erase: (person: string) => `Erase ${person}`,
  merge: (other: string, person: string) => `Merge ${other} into ${person}`,
  domain: (domain: string) => `Remove the domain ${domain}`,
  by: 'Ordered by',
  due: (when: string) => `done on ${when}`,
  waits: 'waits for you, because the assistant was stopped or revoked',
  cancel: 'Cancel',
  complete: 'Do it now',
  toldCancelled: 'Cancelled. Nothing was removed.',
  toldCompleted: 'Done',
}
