import { createContext, useContext } from "react";

/** What identifiers in messages are called. */
export interface Directory {
  users: ReadonlyMap<string, string>;
  channels: ReadonlyMap<string, string>;
  usergroups: ReadonlyMap<string, string>;
}

export const DirectoryContext = createContext<Directory>({
  users: new Map(),
  channels: new Map(),
  usergroups: new Map(),
});

export function useDirectory(): Directory {
  return useContext(DirectoryContext);
}
