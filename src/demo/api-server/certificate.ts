import { generate } from "selfsigned";

export interface ServerCertificate {
  /** Both the server's certificate and what clients trust: it signs itself. PEM. */
  certificate: string;
  privateKey: string;
}

let made: Promise<ServerCertificate> | undefined;

/** A certificate for 127.0.0.1 and localhost, made once a process and kept in memory only. */
export function loopbackCertificate(): Promise<ServerCertificate> {
  made ??= generate([{ name: "commonName", value: "proxy-audit demo" }], {
    keyType: "ec",
    curve: "P-256",
    algorithm: "sha256",
    extensions: [
      { name: "basicConstraints", cA: true },
      { name: "extKeyUsage", serverAuth: true },
      {
        name: "subjectAltName",
        altNames: [
          { type: 7, ip: "127.0.0.1" },
          { type: 2, value: "localhost" },
        ],
      },
    ],
  }).then((pem) => ({ certificate: pem.cert, privateKey: pem.private }));
  return made;
}
