import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiError, takeToken } from "./api.ts";
import { App } from "./app.tsx";
import { applyTheme, storedTheme } from "./theme.ts";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/fleet.css";
import "./styles/cluster.css";

takeToken();
applyTheme(storedTheme());

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // What the server refuses, it refuses again.
      retry: (count, error) => !(error instanceof ApiError && error.status > 0) && count < 2,
      retryDelay: 500,
      refetchOnWindowFocus: false,
    },
  },
});

const page = document.getElementById("page");
if (page !== null) {
  createRoot(page).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  );
}
