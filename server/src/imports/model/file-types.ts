/** Media types under which browsers and programs send CSV files. */
export const fileTypes = [
  'text/csv',
  'text/plain',
  'text/tab-separated-values',
  'application/csv',
  'application/vnd.ms-excel',
  'application/octet-stream',
] as const
