import type { ImportFault } from './import.ts'

export const tooHard: ImportFault = {
  code: 'invalid_request',
  message: 'The file cannot be read in reasonable time. Export it anew as plain CSV.',
}

export const swapped: ImportFault = {
  code: 'conflict',
  message: 'The stored file is not the one that was uploaded. Upload it again.',
}
