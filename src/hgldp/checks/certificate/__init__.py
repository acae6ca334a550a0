"""Certificates: the exact law of every answer that a task can ask for, as whole numbers that anyone can check.

docs/certificate.md describes the document, and docs/verify_certificate.py checks it without this package.
"""

from hgldp.checks.certificate.certificate import Uncertified, certificate, has_certificate
from hgldp.checks.certificate.verify import wrong_with

__all__ = ["Uncertified", "certificate", "has_certificate", "wrong_with"]
