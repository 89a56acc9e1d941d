"""The files of ELMo models."""
