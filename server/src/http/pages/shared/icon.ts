/** A bell, as a crier carries, in the accent colour. */
export const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%236f67f2' d='M8 1a1 1 0 0 1 1 1v.6c2.3.5 3.5 2.2 3.5 4.9 0 2 .5 2.9 1.5 4H2c1-1.1 1.5-2 1.5-4 0-2.7 1.2-4.4 3.5-4.9V2a1 1 0 0 1 1-1zM6 13h4a2 2 0 0 1-4 0z'/%3E%3C/svg%3E"
